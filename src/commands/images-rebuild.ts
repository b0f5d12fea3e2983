import { readCommandArguments } from '../shared/command-usage.ts';
import { formatCountWithNoun } from './format-count.ts';
import { createCommandProgress } from './progress.ts';

readCommandArguments(`Usage:
  npm run images:rebuild    redraws the images of all codes for PUBLIC_BASE_URL; the files get new names`);
const { runCommand } = await import('./command-context.ts');
const { redrawQrCodeImages } = await import('../features/codes/index.ts');

await runCommand('images:rebuild', async ({ services, signal }) => {
  const progress = createCommandProgress(process.stderr, 'images');
  const { drawn, failed } = await redrawQrCodeImages(services, { progress, stopping: signal });
  progress.end();
  console.log(`${formatCountWithNoun(drawn, 'image')} redrawn for ${services.publicBaseUrl}.`);
  for (const { id, reason } of failed) console.error(`${id}: ${reason}`);
  return failed.length === 0 ? 0 : 1;
});
