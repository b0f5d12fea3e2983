// Also loaded by `node --import` into a process whose environment says where the servers are.
import tls from 'node:tls';

const HOSTS = ['fcm.googleapis.com', 'oauth2.googleapis.com'];

const { FCM_PORT, FCM_CERTIFICATE } = process.env;
if (FCM_PORT && FCM_CERTIFICATE) redirectGoogle(Number(FCM_PORT), FCM_CERTIFICATE);

/** Connects to a port of this machine instead of Google's servers, by whichever client; gives what ends that. */
export function redirectGoogle(port, certificate) {
  const { connect } = tls;
  tls.connect = (options, ...more) => {
    const name = options.servername || options.host;
    return HOSTS.includes(name)
      ? connect({ ...options, host: '127.0.0.1', port, servername: name, ca: certificate }, ...more)
      : connect(options, ...more);
  };
  return () => {
    tls.connect = connect;
  };
}
