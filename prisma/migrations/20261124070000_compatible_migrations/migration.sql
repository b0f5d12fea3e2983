-- Compatible with earlier versions: yes
CREATE TABLE compatible_migrations (
  migration_name text COLLATE "C" NOT NULL,
  CONSTRAINT compatible_migrations_pkey PRIMARY KEY (migration_name)
);
COMMENT ON TABLE compatible_migrations IS 'Migrations after which earlier versions of the service can still use the database. Written by the owner of the schema.';
COMMENT ON COLUMN compatible_migrations.migration_name IS 'Name as in _prisma_migrations.';
COMMENT ON CONSTRAINT compatible_migrations_pkey ON compatible_migrations IS 'One row per migration.';
