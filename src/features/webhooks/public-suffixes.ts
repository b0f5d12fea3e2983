// Bundled by the build: of 4 MB, production installs need 0.2.
export { getDomain } from 'tldts';
