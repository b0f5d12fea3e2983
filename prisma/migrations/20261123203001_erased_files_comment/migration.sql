COMMENT ON CONSTRAINT erased_files_folder_known ON erased_files IS 'A folder of public files.';
