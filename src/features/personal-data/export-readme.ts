/** The file README.txt of an archive. */
export const EXPORT_README = `This is all that the service holds of you.

data.json   everything as text, in a form that programs can read (JSON):
              profile           who you are to us
              package           your package and what you use of it
              subscriptions     what you bought
              invoices          what was asked for and paid, in minor units
              sessions          when, from where and with what you logged in
              identities        providers whose sign-in opens your account
              devices           that get pushes
              qrCodes           your codes with all of their content
              scansOfYourCodes  when and where your codes were scanned; where
                                a position was given it is the exact one.
                                Addresses of visitors are not included.
              yourScans         codes that you scanned while signed in
              memoryTags        your memorials
              documents         your documents: what is noted of them, their
                                versions, and whom they are shared with
              documentsGivenToYou  by others, to read; they are not in here
              documentReadings  when a document of yours was opened
              memoryTagPictures  their pictures, with captions
              conversations     with whoever scanned your codes
              notifications     what you were told
              notificationSettings  what you wish to be told of, and how
              events            what the audit trail says of you: what you did,
                                and what others did to you and to your codes
pictures/   your profile picture
qrcodes/    the images of your codes
documents/  the files of your documents, a folder for each, all versions
memory-tags/  the pictures of your memorials, a folder for each

Not included, because it is stored only as a value that cannot be turned back:
passwords, PINs, one-time codes and tokens.

Keep this archive safe: it opens what the service keeps encrypted.
The schema of data.json is "ExportedData" in the service's interface (/api/docs).
`;
