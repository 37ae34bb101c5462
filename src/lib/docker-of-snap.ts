/** Whether a folder of Docker's data says that Docker is Ubuntu's snap, which reads no file outside of home folders. */
export function isOfSnap(dataFolder: string): boolean {
  return dataFolder.startsWith('/var/snap/');
}

export const ofSnap =
  'this Docker is a snap, which cannot read the files of boxgate: sudo snap remove docker, then install it as https://docs.docker.com/engine/install/ says';
