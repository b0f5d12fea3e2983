// Run by tests as a process: tries to lock a data folder, reports the result, and stays while it has the
// lock.
import { DataFolderInUseError, lockDataFolder } from '../../src/start/data-folder-lock.ts';

try {
  await lockDataFolder(process.argv[2] ?? '');
  console.log(`held ${process.pid}`);
  setInterval(() => {}, 1_000);
} catch (error) {
  if (!(error instanceof DataFolderInUseError)) throw error;
  console.log(`refused ${error.pid}`);
}
