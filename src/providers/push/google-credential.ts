// The build puts these parts of firebase-admin into this file, so that a production install does without the rest of it.
export { type Credential, cert } from 'firebase-admin/app';
