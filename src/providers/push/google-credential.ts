// The build inlines these parts, so that a production install does not need firebase-admin.
export { type Credential, cert } from 'firebase-admin/app';
