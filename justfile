# The few commands one needs; CONTRIBUTING.md says more. `just` lists them.

_:
    @{{just_executable()}} --list --unsorted

# Run the service in this folder: the club is owlbox.db
run *ARGUMENTS:
    cargo run -- serve {{ARGUMENTS}}

# Run a throwaway club with a night and a tournament in progress
demo *ARGUMENTS:
    cargo run -- demo {{ARGUMENTS}}

# Compile and lint the crate that you change, with its tests: just check owlbox-site
check CRATE:
    cargo fmt --all
    cargo clippy -p {{CRATE}} --tests -- -D warnings

# Every check and every test, or some: just test --test it chouettes
test *ARGUMENTS:
    bash tests/run.sh {{ARGUMENTS}}

# Print the documents that are made from the code anew; read the diff
bless:
    OWLBOX_BLESS=1 cargo test -p owlbox-api --lib the_file_is
    OWLBOX_BLESS=1 bash tests/run.sh --test it answers::
    OWLBOX_BLESS=1 cargo test -p owlbox-api --lib the_file_is
    OWLBOX_BLESS=1 bash tests/run.sh --test it commands_page
    OWLBOX_BLESS=1 cargo test -p owlbox-http problem::codes
    OWLBOX_BLESS=1 cargo test -p owlbox-books --lib permissions_page
    OWLBOX_BLESS=1 cargo test -p owlbox-chouette --lib printed
    OWLBOX_BLESS=1 bash tests/run.sh --test it the_page_of_tests

# Make a site of the documents in target/site/pages, with pictures of the demo; tests/run.sh has made target/python
docs:
    cargo build --bin owlbox
    target/python/bin/python packaging/make_site.py --pictures target/debug/owlbox
