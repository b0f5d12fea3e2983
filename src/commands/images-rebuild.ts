import { redrawImages } from '../features/qrcodes/redraw-images.ts';
import { runCommand } from './command-context.ts';
import { progressOn } from './progress.ts';

await runCommand('images:rebuild', async ({ services, stopping }) => {
  const progress = progressOn(process.stderr, 'images');
  const { drawn, failed } = await redrawImages(services, { progress, stopping });
  progress.end();
  console.log(`${drawn} images drawn again for ${services.publicBaseUrl}.`);
  for (const { id, reason } of failed) console.error(`${id}: ${reason}`);
  return failed.length === 0 ? 0 : 1;
});
