-- One act can be of several streams: whoever takes it back in one looks for it in the others.
CREATE INDEX journal_act ON journal (act);
