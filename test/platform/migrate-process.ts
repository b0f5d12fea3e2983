// Run by tests as a process: applies the migrations of a folder.
import { applyMigrations } from '../../src/platform/migrations.ts';
import { SILENT_LOG } from '../scratch-folder.ts';

await applyMigrations({ url: process.argv[2] ?? '', folder: process.argv[3] ?? '', log: SILENT_LOG });
