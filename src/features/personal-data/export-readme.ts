/** The file README.txt of an archive. */
export const DATA_EXPORT_README = `This archive contains the data that the service stores about you.

data.json   all data in a machine-readable format (JSON):
              profile           your profile
              package           your package, its limits and your usage
              subscriptions     your subscriptions
              invoices          your invoices and payments; amounts are in minor
                                units, such as cents
              sessions          your logins, with time, address and browser
              apiKeys           your API keys, without their tokens
              identities        sign-in providers linked to your account
              devices           your devices that receive push notifications
              qrCodes           your codes with their content
              scansOfYourCodes  time and place of scans of your codes, with the
                                exact position if one was shared. Network
                                addresses of visitors are not included.
              yourScans         codes that you scanned while signed in
              memoryTags        your memory tags
              memoryTagsCaredFor  memory tags of others that you are a caretaker
                                of
              documents         your documents: details, versions, share links
                                and grants
              receivedDocuments  documents that others granted to you, without
                                their files
              documentAccesses  when your documents were opened
              memoryTagPictures  pictures of your memory tags, with captions
              qrCodePictures    pictures of your codes, with captions
              conversations     your conversations with finders
              notifications     your notifications
              notificationSettings  your notification settings
              events            entries of the audit trail: your actions, and
                                actions of others that concern you or your codes
data.schema.json  the format of data.json, for programs (JSON Schema)
pictures/   your profile picture
qrcodes/    images of your codes
documents/  files of your documents in all versions, one folder per document
memory-tags/  pictures of your memory tags, one folder per memory tag
qrcode-pictures/  pictures of your codes, one folder per code

Passwords, PINs, one-time codes and login tokens are not included: the service
stores only hashes of them. Nor are the secret of your second factor and the push
tokens of your devices.

Keep this archive safe: it contains data that the service stores encrypted.
`;
