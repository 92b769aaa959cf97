/** Magic numbers of `statfs(2)`: Linux, `include/uapi/linux/magic.h` and the file systems' own sources. */
const magic: Readonly<Record<number, { name: string; certain: boolean }>> = {
  26985: { name: 'NFS', certain: true },
  20859: { name: 'SMB', certain: true },
  4283649346: { name: 'CIFS', certain: true },
  4266872130: { name: 'SMB2', certain: true },
  16914839: { name: '9P', certain: true },
  1397113167: { name: 'AFS', certain: true },
  12805120: { name: 'Ceph', certain: true },
  198183888: { name: 'Lustre', certain: true },
  428016422: { name: 'BeeGFS', certain: true },
  1196443219: { name: 'GPFS', certain: true },
  // Local and remote file systems alike are served over FUSE: it warns, and does not refuse.
  1702057286: { name: 'FUSE', certain: false },
};

/** What kind of network file system a type number of `statfs` stands for, if it may be one. */
export function networkFileSystem(type: number): { readonly name: string; readonly certain: boolean } | undefined {
  return magic[type >>> 0];
}
