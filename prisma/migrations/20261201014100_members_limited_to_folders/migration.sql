ALTER TABLE memberships ADD COLUMN limited_to_folders boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN memberships.limited_to_folders IS 'Whether the user has only the codes of the folders in membership_folders: none without a row there.';
CREATE TABLE membership_folders (
  account_id text COLLATE "C" NOT NULL,
  user_id    text COLLATE "C" NOT NULL,
  folder_id  text COLLATE "C" NOT NULL,
  CONSTRAINT membership_folders_pkey PRIMARY KEY (account_id, user_id, folder_id),
  CONSTRAINT membership_folders_membership_fkey FOREIGN KEY (account_id, user_id)
    REFERENCES memberships (account_id, user_id) ON DELETE CASCADE,
  CONSTRAINT membership_folders_folder_fkey FOREIGN KEY (account_id, folder_id)
    REFERENCES folders (account_id, id) ON DELETE CASCADE
);
COMMENT ON TABLE membership_folders IS 'Folders that a limited member of an organization has.';
COMMENT ON COLUMN membership_folders.account_id IS 'Organization of member and folder.';
COMMENT ON COLUMN membership_folders.user_id IS 'Member.';
COMMENT ON COLUMN membership_folders.folder_id IS 'Folder. A deleted one gives nothing until it is restored.';
COMMENT ON CONSTRAINT membership_folders_pkey ON membership_folders IS 'One row a member and folder. Serves: the folders of a member.';
COMMENT ON CONSTRAINT membership_folders_membership_fkey ON membership_folders IS 'Deleted with the membership.';
COMMENT ON CONSTRAINT membership_folders_folder_fkey ON membership_folders IS 'Deleted with the folder; the member stays limited to the others.';
CREATE INDEX membership_folders_folder_idx ON membership_folders (account_id, folder_id);
COMMENT ON INDEX membership_folders_folder_idx IS 'Serves: the check of its foreign key when a folder is removed.';
