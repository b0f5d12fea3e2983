// Started by tests as a process of its own: applies the migrations of a folder to a database.
import { applyMigrations } from '../../src/platform/migrations.ts';
import { silent } from '../scratch.ts';

await applyMigrations({ url: process.argv[2] ?? '', folder: process.argv[3] ?? '', log: silent });
