// Reads `.env` of the working folder: `node --import=./dist/start/env-file.js …`, as the npm scripts do.
// Node's own --env-file-if-exists needs Node 22; on Node 20 --env-file fails where the file is missing.
import { existsSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const ENV_FILE = '.env';

// Threads and child processes inherit --import, but must not see the secrets.
const isService = isMainThread && process.send === undefined;
// Variables that are set already, even to nothing, stay as they are.
if (isService && existsSync(ENV_FILE)) process.loadEnvFile(ENV_FILE);
