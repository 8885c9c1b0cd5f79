//! Base 85 as git writes it in binary patches: five letters for four bytes, a length before each line.

const LETTERS: &[u8; 85] =
    b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";

/// The value of each letter; 255 of what is none.
const VALUES: [u8; 256] = {
    let mut values = [255; 256];
    let mut at = 0;
    while at < LETTERS.len() {
        #[expect(clippy::cast_possible_truncation, reason = "there are 85")]
        {
            values[LETTERS[at] as usize] = at as u8;
        }
        at += 1;
    }
    values
};

/// Bytes on a full line.
const LINE: usize = 52;

/// Reads one line onto the end of bytes; false where it is not as git writes it.
#[must_use]
pub(super) fn read_line(line: &[u8], out: &mut Vec<u8>) -> bool {
    let Some((&first, letters)) = line.split_first() else { return false };
    let bytes = match first {
        b'A'..=b'Z' => usize::from(first - b'A') + 1,
        b'a'..=b'z' => usize::from(first - b'a') + 27,
        _ => return false,
    };
    if letters.len() != bytes.div_ceil(4) * 5 {
        return false;
    }
    let mut left = bytes;
    for five in letters.chunks_exact(5) {
        let mut word = 0u64;
        for letter in five {
            let value = VALUES[usize::from(*letter)];
            if value == 255 {
                return false;
            }
            word = word * 85 + u64::from(value);
        }
        let Ok(word) = u32::try_from(word) else { return false };
        let four = word.to_be_bytes();
        let used = left.min(4);
        // What is behind the last byte is nothing.
        if four[used..].iter().any(|b| *b != 0) {
            return false;
        }
        out.extend_from_slice(&four[..used]);
        left -= used;
    }
    true
}

/// Writes bytes in lines.
pub(super) fn write(bytes: &[u8], out: &mut Vec<u8>) {
    for line in bytes.chunks(LINE) {
        let length = u8::try_from(line.len()).expect("a line has at most 52 bytes");
        out.push(if length <= 26 { b'A' + length - 1 } else { b'a' + length - 27 });
        for four in line.chunks(4) {
            let mut word = [0; 4];
            word[..four.len()].copy_from_slice(four);
            let mut value = u32::from_be_bytes(word);
            let mut five = [0; 5];
            for letter in five.iter_mut().rev() {
                *letter = LETTERS[(value % 85) as usize];
                value /= 85;
            }
            out.extend_from_slice(&five);
        }
        out.push(b'\n');
    }
}
