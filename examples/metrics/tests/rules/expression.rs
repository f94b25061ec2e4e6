//! As much of Prometheus' language as the alerts are written in: instant vectors, `rate` over the
//! samples there are, `sum by`, arithmetic, comparisons that filter, and `or`.

use std::collections::{BTreeMap, BTreeSet};

/// The labels of a series, without its name.
pub(crate) type Labels = BTreeMap<String, String>;

/// What an expression gives: a value for each set of labels.
pub(crate) type Vector = BTreeMap<Labels, f64>;

/// Scrapes, a minute apart, oldest first: each series by its name and labels.
pub(crate) type Scrapes = Vec<BTreeMap<(String, Labels), f64>>;

const STEP: f64 = 60.0;

pub(crate) enum Expression {
    Number(f64),
    /// `rate(name{…}[…])`
    Rate(Selector),
    /// `sum by (…) (…)`
    Sum(BTreeSet<String>, Box<Expression>),
    Binary(char, Box<Expression>, Box<Expression>),
}

pub(crate) struct Selector {
    name: String,
    /// A label, and the values it may have.
    matchers: Vec<(String, Vec<String>)>,
    /// In scrapes.
    range: usize,
}

/// Reads it; panics where it is written otherwise.
pub(crate) fn parse(text: &str) -> Expression {
    let mut reader = Reader(text);
    let expression = reader.alternatives();
    assert_eq!(reader.0.trim(), "", "in {text}");
    expression
}

struct Reader<'a>(&'a str);

impl Reader<'_> {
    fn takes(&mut self, token: &str) -> bool {
        let rest = self.0.trim_start();
        rest.strip_prefix(token).map(|rest| self.0 = rest).is_some()
    }

    fn expects(&mut self, token: &str) {
        assert!(self.takes(token), "{token} is expected before {:?}", self.0);
    }

    fn word(&mut self) -> String {
        let rest = self.0.trim_start();
        let is_other = |letter: char| !letter.is_ascii_alphanumeric() && !"_.".contains(letter);
        let (word, rest) = rest.split_at(rest.find(is_other).unwrap_or(rest.len()));
        self.0 = rest;
        word.to_owned()
    }

    fn quoted(&mut self) -> String {
        self.expects("\"");
        let (text, rest) = self.0.split_once('"').unwrap();
        self.0 = rest;
        text.to_owned()
    }

    /// The loosest first.
    fn alternatives(&mut self) -> Expression {
        let mut left = self.comparison();
        while self.takes("or ") {
            left = Expression::Binary('|', left.into(), self.comparison().into());
        }
        left
    }

    fn comparison(&mut self) -> Expression {
        let left = self.product();
        if self.takes(">") {
            return Expression::Binary('>', left.into(), self.product().into());
        }
        left
    }

    fn product(&mut self) -> Expression {
        let mut left = self.operand();
        loop {
            let operator = match () {
                () if self.takes("*") => '*',
                () if self.takes("/") => '/',
                () => return left,
            };
            left = Expression::Binary(operator, left.into(), self.operand().into());
        }
    }

    fn operand(&mut self) -> Expression {
        if self.takes("(") {
            let inner = self.alternatives();
            self.expects(")");
            return inner;
        }
        let word = self.word();
        match word.as_str() {
            "sum" => self.sum(),
            "rate" => self.rate(),
            number => Expression::Number(number.parse().unwrap()),
        }
    }

    fn sum(&mut self) -> Expression {
        self.expects("by");
        self.expects("(");
        let by = self.list(")", Self::word);
        self.expects("(");
        let inner = self.alternatives();
        self.expects(")");
        Expression::Sum(by.into_iter().collect(), inner.into())
    }

    fn rate(&mut self) -> Expression {
        self.expects("(");
        let name = self.word();
        let matchers = if self.takes("{") {
            self.list("}", |reader| {
                let label = reader.word();
                let text = if reader.takes("=~") {
                    reader.quoted().split('|').map(ToOwned::to_owned).collect()
                } else {
                    reader.expects("=");
                    vec![reader.quoted()]
                };
                (label, text)
            })
        } else {
            vec![]
        };
        self.expects("[");
        let range = self.word().strip_suffix('m').unwrap().parse().unwrap();
        self.expects("]");
        self.expects(")");
        Expression::Rate(Selector { name, matchers, range })
    }

    fn list<T>(&mut self, end: &str, mut item: impl FnMut(&mut Self) -> T) -> Vec<T> {
        let mut items = vec![item(self)];
        while self.takes(",") {
            items.push(item(self));
        }
        self.expects(end);
        items
    }
}

impl Expression {
    /// What it gives at the last scrape.
    pub(crate) fn eval(&self, scrapes: &Scrapes) -> Vector {
        match self {
            Self::Number(_) => panic!("a number has no labels"),
            Self::Rate(selector) => selector.rate(scrapes),
            Self::Sum(by, inner) => {
                let mut sums = Vector::new();
                for (mut labels, value) in inner.eval(scrapes) {
                    labels.retain(|label, _| by.contains(label));
                    *sums.entry(labels).or_default() += value;
                }
                sums
            }
            Self::Binary('|', left, right) => {
                let mut both = right.eval(scrapes);
                both.extend(left.eval(scrapes));
                both
            }
            Self::Binary(operator, left, right) => {
                let apply = |a: f64, b: f64| match operator {
                    '*' => Some(a * b),
                    '/' => Some(a / b),
                    '>' => (a > b).then_some(a),
                    other => panic!("{other} is no operator"),
                };
                match (&**left, &**right) {
                    (Self::Number(a), right) => each(right.eval(scrapes), |b| apply(*a, b)),
                    (left, Self::Number(b)) => each(left.eval(scrapes), |a| apply(a, *b)),
                    // What has no partner on the other side is dropped.
                    (left, right) => {
                        let right = right.eval(scrapes);
                        let value = |(labels, a): (Labels, f64)| {
                            let value = apply(a, *right.get(&labels)?)?;
                            Some((labels, value))
                        };
                        left.eval(scrapes).into_iter().filter_map(value).collect()
                    }
                }
            }
        }
    }
}

fn each(vector: Vector, f: impl Fn(f64) -> Option<f64>) -> Vector {
    vector.into_iter().filter_map(|(labels, value)| Some((labels, f(value)?))).collect()
}

impl Selector {
    /// The growth a second, of a series that is in two scrapes of the range at least.
    fn rate(&self, scrapes: &Scrapes) -> Vector {
        let recent = &scrapes[scrapes.len().saturating_sub(self.range + 1)..];
        let series: BTreeSet<_> = recent.iter().flat_map(BTreeMap::keys).collect();
        let is_meant = |labels: &Labels| {
            let matches = |(label, values): &(String, Vec<String>)| {
                labels.get(label).is_some_and(|value| values.contains(value))
            };
            self.matchers.iter().all(matches)
        };
        let series =
            series.into_iter().filter(|(name, labels)| *name == self.name && is_meant(labels));
        series
            .filter_map(|key| {
                let samples: Vec<_> = recent
                    .iter()
                    .enumerate()
                    .filter_map(|(at, scrape)| Some((at, *scrape.get(key)?)))
                    .collect();
                let ((first, start), (last, end)) = (*samples.first()?, *samples.last()?);
                let steps = u32::try_from(last - first).unwrap();
                (steps > 0).then(|| (key.1.clone(), (end - start) / (f64::from(steps) * STEP)))
            })
            .collect()
    }
}
