import { defineConfig } from 'prisma/config';

// `prisma generate` looks for a native engine that it does not use; any executable satisfies it.
if (process.argv.includes('generate')) process.env.PRISMA_SCHEMA_ENGINE_BINARY ??= process.execPath;

export default defineConfig({
  schema: 'prisma/schema',
  migrations: { path: 'prisma/migrations' },
  datasource: { url: process.env.DATABASE_OWNER_URL ?? process.env.DATABASE_URL ?? '' },
});
