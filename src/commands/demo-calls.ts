export interface DemoApiCall {
  title: string;
  method: 'GET' | 'POST';
  path: string;
  body?: Record<string, unknown>;
  signedIn?: boolean;
  capture?: Record<string, string>;
}

export const DEMO_PASSWORD = 'a lighthouse for lost dogs';

/** From an address to a recorded scan; a test compares these calls with docs/guides/getting-started.md. */
export const DEMO_API_CALLS: readonly DemoApiCall[] = [
  {
    title: 'Register',
    method: 'POST',
    path: '/api/auth/register',
    body: { email: '{email}', password: DEMO_PASSWORD },
  },
  {
    title: 'Confirm the email address',
    method: 'POST',
    path: '/api/auth/verify-otp',
    body: { email: '{email}', otp: '{otp}' },
    capture: { token: 'accessToken' },
  },
  {
    title: 'Create a profile',
    method: 'POST',
    path: '/api/auth/create-profile',
    signedIn: true,
    body: { firstName: 'Ada', lastName: 'Lovelace', accountType: 'INDIVIDUAL' },
  },
  { title: 'Read the dashboard', method: 'GET', path: '/api/dashboard/cards', signedIn: true },
  {
    title: 'Create a code for the dog',
    method: 'POST',
    path: '/api/qrcodes',
    signedIn: true,
    body: {
      kind: 'PET',
      title: 'Rex',
      data: { name: 'Rex', species: 'Dog', notes: 'Friendly, but afraid of thunder.', reward: 'Cake' },
    },
    capture: { id: 'id', scanUrl: 'scanUrl' },
  },
  {
    title: 'Scan it without an account',
    method: 'POST',
    path: '/api/scans/public',
    body: { qrCodeId: '{id}' },
  },
  {
    title: 'Scan it with a position',
    method: 'POST',
    path: '/api/scans/geocoded?type=guest',
    body: { qrCodeId: '{id}', latitude: 52.5163, longitude: 13.3777 },
  },
  { title: 'Read the scans as the owner', method: 'GET', path: '/api/scans?limit=2', signedIn: true },
  {
    title: 'Read the notifications of the owner',
    method: 'GET',
    path: '/api/notifications?limit=2',
    signedIn: true,
  },
];

export const DEMO_API_CALLS_SCAN_COUNT = DEMO_API_CALLS.filter(
  ({ method, path }) => method === 'POST' && path.startsWith('/api/scans'),
).length;
