-- Compatible with earlier versions: yes
ALTER TABLE qr_codes VALIDATE CONSTRAINT qr_codes_folder_fkey;
