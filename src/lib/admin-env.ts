/** Also finds programs such as nft in the folders that `su` leaves out of PATH. Their messages are in English. */
export const adminEnv = { ...process.env, LC_ALL: 'C', PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` };
