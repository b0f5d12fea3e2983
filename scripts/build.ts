// The last part of `npm run build`, after tsc: the packages of packages/.
import { buildPackages } from './build/build-packages.ts';

await buildPackages();
