#!/bin/sh
# Remove from a production install in the current folder what Node never loads. For the image, see Dockerfile.
set -eu

# Stack traces name lines of dist/: the service runs without --enable-source-maps.
find node_modules dist -type f \
  \( -name '*.map' -o -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.md' \) \
  ! -iname 'licen[cs]e*' -delete
find node_modules -depth -type d \
  \( -name test -o -name tests -o -name coverage -o -name .cache -o -name .yarn \) -exec rm -r {} +

# Builds for browsers and bundlers. `rm` fails when an update moves one of them.
find node_modules/@aws-sdk node_modules/@smithy -depth -type d -name dist-es -exec rm -r {} +
cd node_modules
rm @embedpdf/pdfium/dist/index.browser.js @embedpdf/pdfium/dist/index.cjs
rm -r csv-parse/dist/iife csv-parse/dist/umd csv-stringify/dist/iife csv-stringify/dist/umd
rm @rapideditor/country-coder/dist/country-coder.iife.js
rm -r libphonenumber-js/bundle
rm -r luxon/build/amd luxon/build/cjs-browser luxon/build/global
rm pngjs/browser.js
rm -r stripe/cjs
rm -r zxing-wasm/dist/full zxing-wasm/dist/iife zxing-wasm/dist/writer
