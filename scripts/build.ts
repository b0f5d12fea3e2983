// Last step of `npm run build`, after tsc: the packages of packages/, the libraries bundled into dist/ and the script of
// the API reference.
import { buildPackages } from './build/build-packages.ts';
import { bundleLibraries } from './build/bundle-libraries.ts';
import { compressReference } from './build/compress-reference.ts';

await Promise.all([buildPackages(), bundleLibraries(), compressReference()]);
