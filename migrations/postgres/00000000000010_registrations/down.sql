DROP TABLE registration;
