import { EXIT } from '../start/exit-codes.ts';
import { runCommand } from './command-context.ts';

if (process.argv.length > 2) {
  console.error('npm run audit:public-key takes no arguments.');
  process.exit(EXIT.USAGE);
}

await runCommand('audit:public-key', async ({ services }) => {
  for (const { id, bytes, key } of services.audit.keys.known.values()) {
    console.log(`Key ${id}, for AUDIT_PUBLIC_KEYS: ${bytes.toString('base64')}`);
    console.log(key.export({ format: 'pem', type: 'spki' }).toString().trim());
  }
  return 0;
});
