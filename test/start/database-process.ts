// Started by tests as a process of its own: takes a data folder, brings up its database, says so, and stays.

import { startEmbeddedPostgres } from '@qr-profile-service/embedded-postgres';
import { lockDataFolder } from '../../src/start/data-folder-lock.ts';
import { silent } from '../scratch.ts';

const dataDir = process.argv[2] ?? '';
await lockDataFolder(dataDir);
const database = await startEmbeddedPostgres({ dataDir, log: silent });
console.log(database.ownerUrl);
setInterval(() => {}, 1_000);
