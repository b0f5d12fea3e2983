// Also loaded by `node --import` into a process whose environment says where the servers are.
import { globalAgent } from 'node:https';
import { connect } from 'node:tls';

const HOSTS = ['fcm.googleapis.com', 'oauth2.googleapis.com'];

const { FCM_PORT, FCM_CERTIFICATE } = process.env;
if (FCM_PORT && FCM_CERTIFICATE) redirectGoogle(Number(FCM_PORT), FCM_CERTIFICATE);

/** Has the global agent connect to a port of this machine instead of Google's servers; gives what ends that. */
export function redirectGoogle(port, certificate) {
  const former = globalAgent.createConnection;
  globalAgent.createConnection = (options, ...more) =>
    HOSTS.includes(options.host)
      ? connect({ host: '127.0.0.1', port, servername: options.host, ca: certificate })
      : former.call(globalAgent, options, ...more);
  return () => {
    globalAgent.createConnection = former;
  };
}
