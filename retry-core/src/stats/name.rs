//! What a site is called, and what it answers to.

/// The name of one annotated function or block.
#[derive(Clone, Copy)]
pub(crate) enum Name {
    Given(&'static str),
    /// Gives the path of a function inside the annotated one.
    Inside(fn() -> &'static str),
}

impl Name {
    /// The name, without the parts that only our expansion has put there.
    pub(crate) fn get(self) -> &'static str {
        match self {
            Self::Given(name) => name,
            Self::Inside(inside) => {
                let path = inside();
                let mut path = path.rsplit_once("::").map_or(path, |(around, _)| around);
                while let Some(outside) = path.strip_suffix("::{{closure}}") {
                    path = outside;
                }
                path
            }
        }
    }
}

/// Whether what goes by `own` may be called `name`: by its name, or the end of it after `::`. A
/// method answers to its type and to its trait, with or without their arguments.
pub(crate) fn is_called(own: &str, name: &str) -> bool {
    let is_end_of = |path: &str| {
        path.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with("::"))
    };
    is_end_of(own) || readings(own).iter().any(|path| is_end_of(path) || is_end_of(&bare(path)))
}

/// What a site may be called with as many parts as `name` has, which may be a misspelling of it.
pub(crate) fn ends_like(own: &str, name: &str) -> Vec<String> {
    let parts = name.split("::").count();
    let end = |path: String| {
        let skipped = path.split("::").count().saturating_sub(parts);
        path.split("::").skip(skipped).collect::<Vec<_>>().join("::")
    };
    readings(own).iter().map(|path| end(bare(path))).collect()
}

/// `<app::Client as app::Fetch>::get` as `app::Client::get` and `app::Fetch::get`; any other path
/// as it is.
fn readings(path: &str) -> Vec<String> {
    let split = || {
        let inside = path.strip_prefix('<')?;
        let mut open = 1_u32;
        let end = inside.char_indices().find(|&(at, char)| {
            match char {
                '<' => open += 1,
                // Not that of an arrow.
                '>' if !inside[..at].ends_with('-') => open -= 1,
                _ => {}
            }
            open == 0
        });
        let (of, rest) = inside.split_at(end?.0);
        let rest = &rest[1..];
        // The last one: the type may be a projection, the trait is none.
        let (of, by) = of.rsplit_once(" as ")?;
        Some(vec![format!("{of}{rest}"), format!("{by}{rest}")])
    };
    split().unwrap_or_else(|| vec![path.to_owned()])
}

/// A path without the arguments of its types.
fn bare(path: &str) -> String {
    let mut open = 0_u32;
    let keep = |&char: &char| match char {
        '<' => {
            open += 1;
            false
        }
        '>' => {
            open = open.saturating_sub(1);
            false
        }
        _ => open == 0,
    };
    path.chars().filter(keep).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_the_path_of_the_function_around() {
        fn inside() -> &'static str {
            core::any::type_name_of_val(&inside)
        }
        assert_eq!(
            Name::Inside(inside).get(),
            "retry_core::stats::name::tests::the_name_is_the_path_of_the_function_around"
        );
    }

    #[test]
    fn the_name_of_an_async_function_ends_with_its_own_name() {
        let name = Name::Inside(|| "app::fetch::{{closure}}::{{closure}}::inside");
        assert_eq!(name.get(), "app::fetch");
    }

    #[test]
    fn a_method_answers_to_its_type_and_its_trait() {
        let method = "<app::Client as app::Fetch>::get";
        for name in [method, "get", "Client::get", "app::Client::get", "Fetch::get"] {
            assert!(is_called(method, name), "{name}");
        }
        let generic = "<app::Of<_, alloc::vec::Vec<u8>> as app::Fetch<u8>>::get";
        for name in [generic, "Of::get", "app::Of::get", "Fetch::get", "Fetch<u8>::get"] {
            assert!(is_called(generic, name), "{name}");
        }
        for name in ["Of<_>::get", "et", "Vec::get", "lient::get", "Client", ""] {
            assert!(!is_called(generic, name), "{name}");
            assert!(!is_called(method, name), "{name}");
        }
        assert!(is_called("app::Of<_>::get", "Of::get"));
        assert!(!is_called("app::other::get", "app::get"));
    }

    #[test]
    fn what_is_meant_by_a_name_has_as_many_parts() {
        assert_eq!(ends_like("app::orders::fetch", "fetsh"), ["fetch"]);
        assert_eq!(ends_like("app::orders::fetch", "order::fetch"), ["orders::fetch"]);
        assert_eq!(ends_like("fetch", "app::orders::fetch"), ["fetch"]);
        let method = "<app::Of<u8> as app::Fetch>::get";
        assert_eq!(ends_like(method, "Of::gte"), ["Of::get", "Fetch::get"]);
    }
}
