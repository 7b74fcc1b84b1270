-- Nothing is lost: the results are in the journal.
DROP TABLE rating_lock;
DROP TABLE rating;
DROP TABLE rated_match;
