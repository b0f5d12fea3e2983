// Bundled by the build: of 9 MB, production installs need 2.
export { default as createLibheif } from 'libheif-js/libheif-wasm/libheif-bundle.mjs';
