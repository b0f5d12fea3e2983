// Last step of `npm run build`, after tsc: the packages of packages/ and the libraries bundled into dist/.
import { buildPackages } from './build/build-packages.ts';
import { bundleLibraries } from './build/bundle-libraries.ts';

await Promise.all([buildPackages(), bundleLibraries()]);
