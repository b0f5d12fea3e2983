-- Commands see in which mode the service runs, whatever their own environment says.

ALTER TABLE key_holders ADD COLUMN enterprise_for_all boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN key_holders.enterprise_for_all IS 'Whether it holds every account to the rules of enterprise mode (ENTERPRISE_MODE).';
