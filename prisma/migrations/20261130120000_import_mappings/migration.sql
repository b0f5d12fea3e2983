-- Compatible with earlier versions: yes
ALTER TABLE imports ADD COLUMN mapping jsonb;
COMMENT ON COLUMN imports.mapping IS 'What the columns of CSV are: the kind of rows that have none, and the name of each column, null for one to leave out. Null where the header says it. No values of the file.';
