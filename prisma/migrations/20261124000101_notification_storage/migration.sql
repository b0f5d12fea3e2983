-- No update of a notification can be HOT: each changes what an index holds, so free space in its pages serves nothing.
ALTER TABLE notifications RESET (fillfactor);
