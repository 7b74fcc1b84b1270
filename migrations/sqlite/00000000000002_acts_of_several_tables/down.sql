DROP INDEX journal_act;
