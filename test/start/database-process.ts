// Run by tests as a process: locks a data folder, starts its database, reports that, and stays.

import { startEmbeddedPostgres } from '@qr-profile-service/embedded-postgres';
import { lockDataFolder } from '../../src/start/data-folder-lock.ts';
import { SILENT_LOG } from '../scratch-folder.ts';

const dataDir = process.argv[2] ?? '';
await lockDataFolder(dataDir);
const database = await startEmbeddedPostgres({ dataDir, log: SILENT_LOG });
console.log(database.ownerUrl);
setInterval(() => {}, 1_000);
