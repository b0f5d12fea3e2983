// The last part of `npm run build`, after tsc: the packages of packages/, and the libraries that dist/ contains.
import { buildPackages } from './build/build-packages.ts';
import { bundleLibraries } from './build/bundle-libraries.ts';

await Promise.all([buildPackages(), bundleLibraries()]);
