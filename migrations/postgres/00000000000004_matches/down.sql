DROP TABLE "match";
