import { expect, test } from 'vitest';
import { networkFileSystem } from '../../../src/service/network-file-system.ts';

/** From `include/uapi/linux/magic.h` of Linux 6.1, and of the file systems' own sources. */
test.each([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xff534d42 | 0, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x01021997, '9P'],
  [0x5346414f, 'AFS'],
  [0x00c36400, 'Ceph'],
])('the type %i is %s, where SQLite is not safe', (type, name) => {
  expect(networkFileSystem(type)).toEqual({ name, certain: true });
});

test('FUSE may be local or remote', () => {
  expect(networkFileSystem(0x65735546)).toEqual({ name: 'FUSE', certain: false });
});

test.each([
  [0xef53, 'ext4'],
  [0x58465342, 'XFS'],
  [0x9123683e, 'Btrfs'],
  [0x01021994, 'tmpfs'],
  [0x794c7630, 'overlayfs'],
  [0x2fc12fc1, 'ZFS'],
])('the type %i is %s, which is local', (type) => {
  expect(networkFileSystem(type)).toBeUndefined();
});
