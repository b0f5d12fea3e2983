import { redrawImages } from '../features/qrcodes/redraw-images.ts';
import { EXIT } from '../start/exit-codes.ts';
import { runCommand } from './command-context.ts';
import { progressOn } from './progress.ts';

if (process.argv.length > 2) {
  console.error('npm run images:rebuild takes no arguments: it draws for PUBLIC_BASE_URL.');
  process.exit(EXIT.USAGE);
}

await runCommand('images:rebuild', async ({ services, stopping }) => {
  const progress = progressOn(process.stderr, 'images');
  const { drawn, failed } = await redrawImages(services, { progress, stopping });
  progress.end();
  console.log(`${drawn} images drawn again for ${services.publicBaseUrl}.`);
  for (const { id, reason } of failed) console.error(`${id}: ${reason}`);
  return failed.length === 0 ? 0 : 1;
});
