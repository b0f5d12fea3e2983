import { ConfigError } from '../../../shared/config-error.ts';
import { parseS3Error, type S3Call } from './s3-connection.ts';

/** @throws ConfigError for an absent bucket or invalid keys, PROVIDER_UNAVAILABLE without a response */
export async function assertBucketUsable(callS3: S3Call, bucket: string): Promise<void> {
  const problem = await callS3(async (client, { HeadBucketCommand }) => {
    try {
      await client.send(new HeadBucketCommand({ Bucket: bucket }));
      return null;
    } catch (error) {
      const { status = 0 } = parseS3Error(error);
      if (status === 404) return 'S3_BUCKET: the bucket does not exist.';
      if (status >= 300 && status < 400) return 'S3_REGION: the bucket is in another region.';
      if (status === 401 || status === 403 || status === 400)
        return 'S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: access to the bucket denied.';
      throw error;
    }
  });
  if (problem !== null) throw new ConfigError([problem]);
}
