import { readCommandArguments } from '../shared/command-usage.ts';

readCommandArguments(`Usage:
  npm run audit -- public-key    prints the public keys of the audit trail, in base64 and as PEM`);
const { runCommand } = await import('./command-context.ts');

await runCommand('audit public-key', async ({ services }) => {
  for (const { id, bytes, key } of services.audit.signer.publicKeys.values()) {
    console.log(`Key ${id}, for AUDIT_PUBLIC_KEYS: ${bytes.toString('base64')}`);
    console.log(key.export({ format: 'pem', type: 'spki' }).toString().trim());
  }
  return 0;
});
