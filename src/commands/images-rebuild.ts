import { redrawImages } from '../features/qrcodes/redraw-images.ts';
import { readWords } from '../shared/usage.ts';
import { runCommand } from './command-context.ts';
import { counted } from './counted.ts';
import { progressOn } from './progress.ts';

readWords(`Usage:
  npm run images:rebuild    draws the images of all codes again for PUBLIC_BASE_URL; their files get new names`);

await runCommand('images:rebuild', async ({ services, stopping }) => {
  const progress = progressOn(process.stderr, 'images');
  const { drawn, failed } = await redrawImages(services, { progress, stopping });
  progress.end();
  console.log(`${counted(drawn, 'image')} drawn again for ${services.publicBaseUrl}.`);
  for (const { id, reason } of failed) console.error(`${id}: ${reason}`);
  return failed.length === 0 ? 0 : 1;
});
