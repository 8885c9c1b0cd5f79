//! Where a patch names a document that is not there: whether it is there once other leading folders are
//! taken away from the patch's names. Only told, never done.

use super::Overlay;
use super::patch::{Given, at_file};
use crate::patch::{self, FilePatch, Target};
use crate::path::DocPath;
use crate::refusal::Refusal;

/// Leading folders that are tried.
const TRIED: u32 = 16;

impl<E: From<Refusal>> Overlay<'_, '_, E> {
    /// The refusal of a missing document, with the strip that finds one.
    pub(super) fn missing(
        &mut self,
        given: &Given<'_>,
        file: &FilePatch<'_>,
        refusal: Refusal,
    ) -> Result<Refusal, E> {
        let refusal = at_file(given.field, file, refusal);
        let Some((strip, path)) = self.other_strip(given, file)? else { return Ok(refusal) };
        let Refusal { detail, said, .. } = &refusal;
        let en = format!(" With strip {strip} the patch would mean {path}, which is there.");
        let id = format!(" Dengan strip {strip} yang dimaksud tambalan adalah {path}, yang ada.");
        let (detail, said) = (format!("{detail}{en}"), said.as_ref().map(|said| format!("{said}{id}")));
        Ok(Refusal { detail, said, ..refusal })
    }

    /// The patch is read anew, so that what is told is what comes of it.
    fn other_strip(&mut self, given: &Given<'_>, file: &FilePatch<'_>) -> Result<Option<(u32, DocPath)>, E> {
        let mut meant: Vec<Target> = vec![file.target().clone()];
        for strip in (0..=TRIED).filter(|strip| given.strip != Some(*strip)) {
            let files = match patch::parse(given.field, given.diff, Some(strip)) {
                Ok(files) => files,
                // Names that have too few folders have no more further on.
                Err(_) if strip > 1 => break,
                Err(_) => continue,
            };
            let same = files.iter().find(|other| other.line() == file.line());
            let Some(target) = same.map(FilePatch::target).filter(|target| !meant.contains(target)) else {
                continue;
            };
            if !matches!(target, Target::Create(_)) {
                for path in target.sources() {
                    if let Some(index) = self.find(path)?
                        && let Some(now) = &self.objects[index].now
                    {
                        return Ok(Some((strip, now.path.clone())));
                    }
                }
            }
            meant.push(target.clone());
        }
        Ok(None)
    }
}
