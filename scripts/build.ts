// Last step of `npm run build`, after tsc: the libraries bundled into dist/, the fonts of reports, the script of the API
// reference, the types of the client, and the packages of packages/.
import { buildPackages } from './build/build-packages.ts';
import { bundleLibraries } from './build/bundle-libraries.ts';
import { compressFonts } from './build/compress-fonts.ts';
import { compressReference } from './build/compress-reference.ts';
import { writeClientTypes } from './build/write-client-types.ts';

await Promise.all([bundleLibraries(), compressFonts(), compressReference()]);
await writeClientTypes();
await buildPackages();
