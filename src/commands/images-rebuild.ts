import { redrawImages } from '../features/codes/index.ts';
import { readCommandArguments } from '../shared/command-usage.ts';
import { runCommand } from './command-context.ts';
import { formatCount } from './format-count.ts';
import { createProgress } from './progress.ts';

readCommandArguments(`Usage:
  npm run images:rebuild    draws the images of all codes again for PUBLIC_BASE_URL; their files get new names`);

await runCommand('images:rebuild', async ({ services, signal }) => {
  const progress = createProgress(process.stderr, 'images');
  const { drawn, failed } = await redrawImages(services, { progress, stopping: signal });
  progress.end();
  console.log(`${formatCount(drawn, 'image')} drawn again for ${services.publicBaseUrl}.`);
  for (const { id, reason } of failed) console.error(`${id}: ${reason}`);
  return failed.length === 0 ? 0 : 1;
});
