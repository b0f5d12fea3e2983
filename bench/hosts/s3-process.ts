// Serve a bucket: `node bench/hosts/s3-process.js <folder> <address> <port>`
import { openS3Server } from '../../test/s3-server.ts';

const [directory = '', host = '', port = ''] = process.argv.slice(2);
await openS3Server({ directory, host, port: Number(port) });
