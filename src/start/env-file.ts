// Load `.env` first: Node's --env-file-if-exists needs Node 22, and --env-file fails without the file.
import { existsSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const ENV_FILE = '.env';

// Threads and child processes inherit --import, but must not see the secrets.
const isService = isMainThread && process.send === undefined;
// Existing variables, even empty ones, stay.
if (isService && existsSync(ENV_FILE)) process.loadEnvFile(ENV_FILE);
