DROP TABLE mail_address;
