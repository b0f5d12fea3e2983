// Started by tests as a process of its own: tries to take a data folder, says how that went, and stays
// while it has it.
import { DataFolderInUseError, lockDataFolder } from '../../src/start/data-folder-lock.ts';

try {
  await lockDataFolder(process.argv[2] ?? '');
  console.log(`held ${process.pid}`);
  setInterval(() => {}, 1_000);
} catch (error) {
  if (!(error instanceof DataFolderInUseError)) throw error;
  console.log(`refused ${error.pid}`);
}
