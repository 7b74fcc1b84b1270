//! Reaching a server: over TCP or a Unix socket, encrypted where the address asks for it.

use std::io;
use std::path::Path;
use std::sync::Arc;

use diesel::ConnectionError;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::{TcpStream, UnixStream};
use tokio_postgres::config::Host;
use tokio_postgres::tls::NoTlsStream;
use tokio_postgres::{Client, Config, Connection, NoTls};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{
    ClientConfig, DigitallySignedStruct, Error as TlsError, RootCertStore, SignatureScheme,
};

use super::address::{Address, CONNECT_TIMEOUT, Tls};
use super::refused;
use super::sqlstate::Tap;

/// What carries a connection.
pub(super) trait Wire: AsyncRead + AsyncWrite + Send + Unpin {}
impl<S: AsyncRead + AsyncWrite + Send + Unpin> Wire for S {}

/// What has to be polled for the connection to make progress.
pub(super) type Driver = Connection<Tap<Box<dyn Wire>>, NoTlsStream>;

/// Where a server on this machine has its socket, if the address names no host.
const SOCKETS: &str = "/var/run/postgresql";
const PORT: u16 = 5432;

/// Connects to the first of the address's hosts that lets us in.
pub(super) async fn dial(address: &Address) -> Result<(Client, Driver), ConnectionError> {
    let hosts = match address.config.get_hosts() {
        [] => vec![Host::Unix(SOCKETS.into())],
        hosts => hosts.to_vec(),
    };
    let mut last = None;
    for (place, host) in hosts.iter().enumerate() {
        let port = match address.config.get_ports() {
            [] => PORT,
            [port] => *port,
            ports => ports.get(place).copied().unwrap_or(PORT),
        };
        match reach(address, host, port).await {
            Ok(connected) => return Ok(connected),
            Err(error) => last = Some(error),
        }
    }
    Err(last.unwrap_or_else(|| ConnectionError::BadConnection("no host".into())))
}

async fn reach(address: &Address, host: &Host, port: u16) -> Result<(Client, Driver), ConnectionError> {
    within_limit(address, async {
        let wire = wire(address, host, port).await.map_err(|error| refused(&error))?;
        let connected = address.config.connect_raw(Tap::on(wire), NoTls).await;
        connected.map_err(|error| refused(&error))
    })
    .await
}

/// What `asked` answers, if it does within the time that a server has.
pub(super) async fn within_limit<T>(
    address: &Address,
    asked: impl Future<Output = Result<T, ConnectionError>>,
) -> Result<T, ConnectionError> {
    let limit = address.config.get_connect_timeout().copied().unwrap_or(CONNECT_TIMEOUT);
    tokio::time::timeout(limit, asked)
        .await
        .unwrap_or_else(|_| Err(ConnectionError::BadConnection("the server does not answer".into())))
}

async fn wire(address: &Address, host: &Host, port: u16) -> io::Result<Box<dyn Wire>> {
    match host {
        // Nobody is in between; PostgreSQL offers no encryption there either.
        Host::Unix(folder) => {
            Ok(Box::new(UnixStream::connect(folder.join(format!(".s.PGSQL.{port}"))).await?))
        }
        Host::Tcp(name) => {
            let mut stream = TcpStream::connect((name.as_str(), port)).await?;
            prepare(&stream, &address.config)?;
            let (config, required) = match &address.tls {
                Tls::Never => return Ok(Box::new(stream)),
                Tls::IfOffered => (trusting()?, false),
                Tls::Verified { authorities } => (verifying(authorities.as_deref())?, true),
            };
            if offers_encryption(&mut stream).await? {
                let name = ServerName::try_from(name.clone()).map_err(io::Error::other)?;
                Ok(Box::new(TlsConnector::from(Arc::new(config)).connect(name, stream).await?))
            } else if required {
                Err(io::Error::new(io::ErrorKind::ConnectionRefused, "the server offers no encryption"))
            } else {
                Ok(Box::new(stream))
            }
        }
    }
}

fn prepare(stream: &TcpStream, config: &Config) -> io::Result<()> {
    use rustix::net::sockopt;
    stream.set_nodelay(true)?;
    if config.get_keepalives() {
        sockopt::set_socket_keepalive(stream, true)?;
        sockopt::set_tcp_keepidle(stream, config.get_keepalives_idle())?;
    }
    if let Some(limit) = config.get_tcp_user_timeout() {
        sockopt::set_tcp_user_timeout(stream, u32::try_from(limit.as_millis()).unwrap_or(u32::MAX))?;
    }
    Ok(())
}

/// Asks for encryption, before anything else. Not a byte more than the answer is read: what an attacker might
/// add to it would be taken for the server's.
async fn offers_encryption(stream: &mut TcpStream) -> io::Result<bool> {
    /// A message of eight bytes with the code 1234.5679.
    const SSL_REQUEST: [u8; 8] = [0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f];
    stream.write_all(&SSL_REQUEST).await?;
    match stream.read_u8().await? {
        b'S' => Ok(true),
        b'N' => Ok(false),
        _ => Err(io::Error::new(io::ErrorKind::InvalidData, "this is not a PostgreSQL server")),
    }
}

fn provider() -> Arc<CryptoProvider> {
    Arc::new(ring::default_provider())
}

/// Checks the server's certificate and name.
fn verifying(authorities: Option<&Path>) -> io::Result<ClientConfig> {
    let mut known = RootCertStore::empty();
    if let Some(file) = authorities {
        let failed = |error| io::Error::other(format!("{}: {error}", file.display()));
        for certificate in CertificateDer::pem_file_iter(file).map_err(failed)? {
            known.add(certificate.map_err(failed)?).map_err(io::Error::other)?;
        }
    } else {
        known.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    }
    if known.is_empty() {
        return Err(io::Error::other("there is no authority to check the server's certificate with"));
    }
    let builder = ClientConfig::builder_with_provider(provider()).with_safe_default_protocol_versions();
    Ok(builder.map_err(io::Error::other)?.with_root_certificates(known).with_no_client_auth())
}

/// Encrypts, no matter who is at the other end.
fn trusting() -> io::Result<ClientConfig> {
    let builder = ClientConfig::builder_with_provider(provider()).with_safe_default_protocol_versions();
    let builder = builder.map_err(io::Error::other)?.dangerous();
    Ok(builder.with_custom_certificate_verifier(Arc::new(Anybody(provider()))).with_no_client_auth())
}

/// Takes any certificate, but has the server prove that it is its own.
#[derive(Debug)]
struct Anybody(Arc<CryptoProvider>);

impl ServerCertVerifier for Anybody {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, TlsError> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        verify_tls12_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, TlsError> {
        verify_tls13_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;
    use tokio_rustls::TlsAcceptor;
    use tokio_rustls::rustls::ServerConfig;
    use tokio_rustls::rustls::pki_types::PrivateKeyDer;

    use super::*;

    const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/tls");

    /// How a server answers who asks for encryption.
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Server {
        /// With a certificate for `localhost` from an authority of its own.
        Encrypts,
        Declines,
        Babbles,
    }

    async fn reached(server: Server, host: &str, options: &str) -> io::Result<Box<dyn Wire>> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let port = listener.local_addr()?.port();
        let serving = async {
            let (mut stream, _) = listener.accept().await?;
            let mut asked = [0; 8];
            stream.read_exact(&mut asked).await?;
            assert_eq!(asked[4..], [0x04, 0xd2, 0x16, 0x2f]);
            stream
                .write_all(match server {
                    Server::Encrypts => b"S",
                    Server::Declines => b"N",
                    Server::Babbles => b"H",
                })
                .await?;
            if server == Server::Encrypts {
                TlsAcceptor::from(certified()).accept(stream).await?.read_u8().await?;
            }
            Ok::<_, io::Error>(())
        };
        let address: Address = format!("postgres://h/d?{options}").parse().unwrap();
        let host = Host::Tcp(host.to_owned());
        tokio::select! {
            reached = wire(&address, &host, port) => reached,
            // It hangs up on anyone who refuses its certificate, who then is the one to say why.
            _ = async { drop(serving.await); std::future::pending::<()>().await } => unreachable!(),
        }
    }

    fn certified() -> Arc<ServerConfig> {
        let certificates = CertificateDer::pem_file_iter(format!("{DATA}/server.pem")).unwrap();
        let key = PrivateKeyDer::from_pem_file(format!("{DATA}/server.key")).unwrap();
        let builder =
            ServerConfig::builder_with_provider(provider()).with_safe_default_protocol_versions().unwrap();
        let certificates = certificates.map(Result::unwrap).collect();
        Arc::new(builder.with_no_client_auth().with_single_cert(certificates, key).unwrap())
    }

    #[tokio::test]
    async fn a_server_proves_who_it_is_where_the_address_asks_for_it() {
        let known = format!("sslmode=verify-full&sslrootcert={DATA}/ca.pem");
        let cases = [
            (Server::Encrypts, "localhost", known.as_str(), true, "its name, from an authority we know"),
            (Server::Encrypts, "127.0.0.1", &known, false, "another name"),
            (
                Server::Encrypts,
                "localhost",
                "sslmode=verify-full",
                false,
                "an authority the system does not know",
            ),
            (Server::Encrypts, "localhost", "sslmode=require", false, "encrypted is not enough"),
            (Server::Encrypts, "localhost", "sslmode=prefer", true, "nothing is to be proved"),
            (Server::Declines, "localhost", "", true, "without encryption, as nothing is said"),
            (Server::Declines, "localhost", &known, false, "somebody has taken the encryption out"),
            (Server::Babbles, "localhost", "", false, "something else is there"),
        ];
        for (server, host, options, expected, why) in cases {
            let reached = reached(server, host, options).await;
            assert_eq!(reached.is_ok(), expected, "{why}: {:?}", reached.err());
        }
    }
}
